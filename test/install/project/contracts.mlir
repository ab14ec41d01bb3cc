// The contracts of operations of the project.
normalform.contract "transform.counting.count" complete {
  normalform.requires @counting.short of 0 otherwise "the count is too long"
  normalform.payload "target" of 0
}
// Which loops come of it, clauses say; how many steps they take, a model.
normalform.contract "transform.counting.batch" complete model "batch" {
  normalform.accepts 0 ["scf.for"] otherwise "requires an scf.for"
  normalform.result 0 "around" of 0 kinds ["scf.for"] count "per_target"
  normalform.result 1 "replaces" of 0 kinds ["scf.for"] count "per_target"
  normalform.payload "anchor" introduces ["arith.*", "scf.for", "scf.yield"]
}
