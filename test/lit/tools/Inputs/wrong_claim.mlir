// Claims more than it keeps: removing empty tensors can undo hoisting.
normalform.form @mine summary "claims too much" refines [@canonical]
    preserves [@tensor.hoisted] {
  normalform.procedure "eliminate-empty-tensors"
}
