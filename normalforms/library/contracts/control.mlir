// The contracts of control flow: sequences, includes, loops and alternatives,
// the matchers that decide them, and ops that only report.

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
normalform.contract "transform.alternatives" model "alternatives" {
}

//===----------------------------------------------------------------------===//
// transform: matchers
//===----------------------------------------------------------------------===//

normalform.contract "transform.match.operation_name" {
}
normalform.contract "transform.match.operation_empty" {
}
normalform.contract "transform.num_associations" complete model "num-associations" {
}

//===----------------------------------------------------------------------===//
// transform: reports
//===----------------------------------------------------------------------===//

normalform.contract "transform.print" complete {
}
normalform.contract "transform.verify" {
}
