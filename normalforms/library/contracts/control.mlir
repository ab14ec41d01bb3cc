// The contracts of control flow (sequences, includes, loops and alternatives), of
// the matchers that select payload for them, and of ops that only report.

//===----------------------------------------------------------------------===//
// transform: control flow
//===----------------------------------------------------------------------===//

normalform.contract "transform.yield" complete {
  normalform.side_effects ["reads_no_discardable_attribute", "hands_on_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.sequence" complete model "sequence" {
  normalform.side_effects ["effects_of_body", "keeps_order", "hands_on_parameters"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.named_sequence" complete {
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.include" complete model "include" {
  normalform.side_effects ["keeps_order", "hands_on_parameters"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.foreach" complete model "foreach" {
  normalform.side_effects ["effects_of_body", "keeps_order", "hands_on_parameters"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.foreach_match" complete model "foreach-match" {
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.collect_matching" complete model "collect-matching" {
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.alternatives" complete model "alternatives" {
  normalform.side_effects ["effects_of_body", "keeps_order"]
  normalform.admits ["*"] by "the step only hands payload on"
}

//===----------------------------------------------------------------------===//
// transform: matchers, as steps of a schedule
//===----------------------------------------------------------------------===//

// In a sequence that foreach_match or collect_matching calls, a failing matcher
// means "no match"; elsewhere it is a failure.
normalform.contract "transform.match.operation_name" complete model "match-name" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed", "fw-wrong-kind"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "op_names" ["repeated"]
}
normalform.contract "transform.match.operation_empty" complete model "matcher" {
  normalform.side_effects ["only_reads"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}
normalform.contract "transform.match.param.cmpi" complete model "match-cmpi" {
  normalform.side_effects ["only_reads", "reads_one_op"]
  normalform.silenceable ["fw-matcher-failed", "fw-parameter-mismatch"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "predicate" ["any"]
}
normalform.contract "transform.num_associations" complete model "num-associations" {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reads", "hands_on_parameters"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
}

//===----------------------------------------------------------------------===//
// transform: reports
//===----------------------------------------------------------------------===//

normalform.contract "transform.print" complete {
  normalform.side_effects ["reads_no_discardable_attribute", "only_reports"]
  normalform.silenceable ["fw-matcher-failed"]
  normalform.admits ["*"] by "the step only hands payload on"
  normalform.domain "name" ["empty"]
}
normalform.contract "transform.verify" complete model "verify" {
  normalform.silenceable ["fw-wrong-kind"] leaves_payload
  normalform.admits ["*"] by "the step only hands payload on"
}
