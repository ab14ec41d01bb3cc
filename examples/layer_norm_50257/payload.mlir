// Each row of a matrix of 128x50257 with mean 0 and variance 1, times a weight and
// plus a bias per column, in f32.
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @layer_norm(%x: tensor<128x50257xf32>, %weight: tensor<50257xf32>,
                      %bias: tensor<50257xf32>) -> tensor<128x50257xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 50257.0 : f32
  %epsilon = arith.constant 1.0e-5 : f32
  %rows = tensor.empty() : tensor<128xf32>
  %empty = tensor.empty() : tensor<128x50257xf32>
  %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<128xf32>)
      -> tensor<128xf32>
  %sum = linalg.generic {indexing_maps = [#all, #row],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<128x50257xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%value: f32, %acc: f32):
    %next = arith.addf %acc, %value : f32
    linalg.yield %next : f32
  } -> tensor<128xf32>
  %centered = linalg.generic {indexing_maps = [#all, #row, #all],
                              iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<128x50257xf32>, tensor<128xf32>)
      outs(%empty : tensor<128x50257xf32>) {
  ^bb0(%value: f32, %total: f32, %out: f32):
    %mean = arith.divf %total, %count : f32
    %difference = arith.subf %value, %mean : f32
    linalg.yield %difference : f32
  } -> tensor<128x50257xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row],
                             iterator_types = ["parallel", "reduction"]}
      ins(%centered : tensor<128x50257xf32>) outs(%init : tensor<128xf32>) {
  ^bb0(%value: f32, %acc: f32):
    %square = arith.mulf %value, %value : f32
    %next = arith.addf %acc, %square : f32
    linalg.yield %next : f32
  } -> tensor<128xf32>
  %y = linalg.generic {indexing_maps = [#all, #row, #column, #column, #all],
                       iterator_types = ["parallel", "parallel"]}
      ins(%centered, %squares, %weight, %bias : tensor<128x50257xf32>,
          tensor<128xf32>, tensor<50257xf32>, tensor<50257xf32>)
      outs(%empty : tensor<128x50257xf32>) {
  ^bb0(%value: f32, %total: f32, %scale: f32, %shift: f32, %out: f32):
    %variance = arith.divf %total, %count : f32
    %shifted = arith.addf %variance, %epsilon : f32
    %inverse = math.rsqrt %shifted : f32
    %normal = arith.mulf %value, %inverse : f32
    %scaled = arith.mulf %normal, %scale : f32
    %result = arith.addf %scaled, %shift : f32
    linalg.yield %result : f32
  } -> tensor<128x50257xf32>
  return %y : tensor<128x50257xf32>
}
