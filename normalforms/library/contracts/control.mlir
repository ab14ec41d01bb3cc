// The contracts of control flow: sequences, includes, loops and alternatives;
// the matchers that decide what they run on; and ops that only report.

//===----------------------------------------------------------------------===//
// transform: control flow
//===----------------------------------------------------------------------===//

normalform.contract "transform.yield" complete {
}
normalform.contract "transform.sequence" complete model "sequence" {
}
normalform.contract "transform.named_sequence" complete {
}
normalform.contract "transform.include" complete model "include" {
  normalform.decides ["fw-readonly-consumed", "fw-recursive-sequence", "fw-unknown-sequence"]
}
normalform.contract "transform.foreach" complete model "foreach" {
  normalform.decides ["fw-cardinality"]
}
normalform.contract "transform.foreach_match" complete model "foreach-match" {
  normalform.decides ["fw-cardinality", "fw-empty-match", "fw-matcher-failed",
                      "fw-recursive-sequence", "fw-unknown-sequence"]
}
normalform.contract "transform.collect_matching" complete model "collect-matching" {
  normalform.decides ["fw-cardinality", "fw-empty-match", "fw-matcher-failed",
                      "fw-unknown-sequence"]
}
normalform.contract "transform.alternatives" complete model "alternatives" {
  normalform.decides ["fw-alternatives-scope", "fw-no-alternative"]
}

//===----------------------------------------------------------------------===//
// transform: matchers, as steps of a schedule
//===----------------------------------------------------------------------===//

// In a sequence that foreach_match or collect_matching calls, a failure of a
// matcher is an answer; elsewhere it is a failure.
normalform.contract "transform.match.operation_name" complete model "match-name" {
  normalform.decides ["fw-cardinality", "fw-wrong-kind"]
}
normalform.contract "transform.match.operation_empty" complete model "matcher" {
  normalform.decides ["fw-cardinality", "fw-matcher-failed", "fw-step-fails"]
}
normalform.contract "transform.match.param.cmpi" complete model "match-cmpi" {
  normalform.decides ["fw-parameter-mismatch"]
}
normalform.contract "transform.num_associations" complete model "num-associations" {
}

//===----------------------------------------------------------------------===//
// transform: reports
//===----------------------------------------------------------------------===//

normalform.contract "transform.print" complete {
}
normalform.contract "transform.verify" complete model "verify" {
}
