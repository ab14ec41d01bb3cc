// The contract of the tool's own operation.
normalform.contract "transform.counting.count" complete {
  normalform.requires @counting.short of 0 otherwise "the count is too long"
  normalform.payload "target" of 0
}
