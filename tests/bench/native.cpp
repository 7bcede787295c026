// Our kernels against Eigen's own, natively and on one thread. Prints JSON: { what: { contender: milliseconds } }.
// An argument sets the number of interleaved rounds.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/fused.h"
#include "core/product.h"
#include "core/random.h"
#include "training.h"

using namespace limelight;

namespace {

struct Contender {
  std::string name;
  std::function<void()> run;
};

Matrix normal_matrix(int rows, int columns, Random& random) {
  Matrix matrix(rows, columns);
  for (float& entry : matrix.reshaped<Eigen::RowMajor>()) entry = static_cast<float>(random.normal());
  return matrix;
}

// Milliseconds that this thread has computed.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// Milliseconds of a call.
double time(const Contender& contender, int calls) {
  const double start = processor_time();
  for (int call = 0; call < calls; ++call) contender.run();
  return (processor_time() - start) / calls;
}

// Medians of interleaved rounds, each of at least 10 ms.
void measure(const std::string& what, const std::vector<Contender>& contenders, int rounds) {
  std::vector<int> calls;
  for (const Contender& contender : contenders) {
    time(contender, 1);
    const double once = std::max(time(contender, 3), 1e-5);
    calls.push_back(std::max(1, static_cast<int>(std::ceil(10 / once))));
  }
  std::vector<std::vector<double>> times(contenders.size());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < contenders.size(); ++i) times[i].push_back(time(contenders[i], calls[i]));
  static bool first = true;
  std::printf("%s\"%s\": {", std::exchange(first, false) ? "" : ",\n", what.c_str());
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    std::ranges::sort(times[i]);
    std::printf("%s\"%s\": %.6g", i == 0 ? "" : ", ", contenders[i].name.c_str(), times[i][times[i].size() / 2]);
  }
  std::printf("}");
}

// Exits when two contenders disagree: their times would say nothing.
void agree(const Matrix& a, const Matrix& b) {
  if ((a - b).cwiseAbs().maxCoeff() <= 1e-4F * a.cwiseAbs().maxCoeff()) return;
  std::fprintf(stderr, "The contenders disagree.\n");
  std::exit(1);
}

void attention(int n, int d, int rounds) {
  Random random(1);
  const Matrix query = normal_matrix(n, d, random), key = normal_matrix(n, d, random),
               value = normal_matrix(n, d, random);
  const AttentionOptions options{.scale = 1 / std::sqrt(static_cast<double>(d))};
  const auto scale = static_cast<float>(options.scale);
  Matrix fused(n, d), traced(n, d), weights(n, n), eigen(n, d), scores(n, n);
  const std::vector<Contender> contenders = {
      {"fused", [&] { FusedAttention(key, value, options).rows(query, 0, n, fused); }},
      {"traced", [&] { FusedAttention(key, value, options).rows(query, 0, n, traced, weights); }},
      {"Eigen", [&] {
         scores.noalias() = query * key.transpose();
         for (int i = 0; i < n; ++i) {
           auto row = scores.row(i).array();
           row = ((row - row.maxCoeff()) * scale).exp();
           row /= row.sum();
         }
         eigen.noalias() = scores * value;
       }}};
  measure("attention " + std::to_string(n), contenders, rounds);
  agree(eigen, fused);
  agree(eigen, traced);
}

struct Shape {
  int m, k, n;
  bool transpose_a = false, transpose_b = false;
};

void products(const Shape& shape, int rounds) {
  Random random(2);
  const auto [m, k, n, transpose_a, transpose_b] = shape;
  const Matrix a = transpose_a ? normal_matrix(k, m, random) : normal_matrix(m, k, random);
  const Matrix b = transpose_b ? normal_matrix(n, k, random) : normal_matrix(k, n, random);
  Matrix ours(m, n), eigen(m, n);
  const std::vector<Contender> contenders = {
      {"product", [&, options = ProductOptions{transpose_a, transpose_b}] { multiply(a, b, ours, options); }},
      {"Eigen", [&, transposed_a = transpose_a, transposed_b = transpose_b] {
         if (transposed_a)
           eigen.noalias() = a.transpose() * b;
         else if (transposed_b)
           eigen.noalias() = a * b.transpose();
         else
           eigen.noalias() = a * b;
       }}};
  measure("product " + std::to_string(m) + "×" + std::to_string(k) + "×" + std::to_string(n) +
              (transpose_a ? " Aᵀ" : "") + (transpose_b ? " Bᵀ" : ""),
          contenders, rounds);
  agree(eigen, ours);
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 15;
  if (rounds < 1) {
    std::fprintf(stderr, "usage: bench_native [ROUNDS], with at least one round\n");
    return 2;
  }
  std::printf("{");
  for (const int n : {1024, 2048}) attention(n, 64, rounds);
  for (const int n : {8, 16, 32, 64, 128, 256, 512, 1024}) products({n, n, n}, rounds);
  products({1024, 64, 64}, rounds);
  products({64, 64, 1024}, rounds);
  products({64, 1024, 64, true, false}, rounds);
  products({1024, 64, 64, false, true}, rounds);
  learn::TrainingBench training;
  measure("training", {{"step", [&] { training.step(); }}}, rounds);
  std::printf("}\n");
}
