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
}
normalform.contract "transform.foreach" complete model "foreach" {
}
normalform.contract "transform.foreach_match" complete model "foreach-match" {
}
normalform.contract "transform.collect_matching" complete model "collect-matching" {
}
normalform.contract "transform.alternatives" complete model "alternatives" {
}

//===----------------------------------------------------------------------===//
// transform: matchers, as steps of a schedule
//===----------------------------------------------------------------------===//

// In a sequence that foreach_match or collect_matching calls, a failure of a
// matcher is an answer; elsewhere it is a failure.
normalform.contract "transform.match.operation_name" complete model "match-name" {
}
normalform.contract "transform.match.operation_empty" {
}
normalform.contract "transform.match.param.cmpi" complete model "match-cmpi" {
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
