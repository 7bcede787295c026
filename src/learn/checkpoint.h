// Trainings as .safetensors, whatever they train: the settings, the record and the vocabulary as metadata, the weights
// by name; for going on, Adam's two means beside them.
//
// What the files of a kind of model have of their own stands in its Form:
//
//   static constexpr std::string_view format = kFormat;        // what the metadata calls it
//   static constexpr std::string_view called = "a captioner";  // what messages call it
//   // The metadata beside the settings and the record.
//   static void describe(const Training& training, Metadata& metadata);
//   // Checks that metadata, and sets what the sizes of the weights follow from; settings and record are there.
//   static Result<void> prepare(const Metadata& metadata, const std::string& name, Training& training);
//   // visit(name, matrix) for each matrix that going on needs beside Adam's means.
//   static void each_kept(auto&& visit, auto& training);
#pragma once

#include <span>
#include <vector>

#include "learn/adam.h"
#include "learn/tasks.h"
#include "learn/tensors.h"

namespace limelight::learn {

using Metadata = std::map<std::string, std::string>;

inline constexpr std::string_view kMean = "adam.mean.", kSquare = "adam.square.";  // before the weights' names
inline constexpr std::string_view kAdamSteps = "adam_steps";

// ---- for forms: vocabularies ----
std::string join_words(const Vocabulary& vocabulary);
bool has_words(const Metadata& metadata, const std::string& key, const Vocabulary& vocabulary);
Error other_vocabulary(const std::string& name, std::string_view task);

// Whether the metadata says so.
bool has_format(const io::Safetensors& file, std::string_view format);

// ---- what writing and reading do for all forms ----
// Errors: those of .safetensors; another format.
Result<io::Safetensors> open_checkpoint(std::span<const std::byte> bytes, const std::string& name,
                                        std::string_view format, std::string_view called);
// How often Adam was stepped. Errors: not as often as the record says.
Result<int> read_adam_steps(const Metadata& metadata, const std::string& name, int recorded);
// Errors: a tensor is left that no part of the model is called.
Result<void> check_all_taken(const io::Safetensors& file, const std::string& name);

template <class Form, class Training>
io::Safetensors describe_weights(const Training& training) {
  io::Safetensors file;
  file.metadata["format"] = Form::format;
  put_fields(io::walk(training.settings), file.metadata);
  put_fields(io::walk(training.record), file.metadata);
  Form::describe(training, file.metadata);
  put_weights(training.weights, {}, file);
  return file;
}

// For reading only.
template <class Form, class Training>
std::vector<std::byte> write_weights(const Training& training, bool half) {
  return io::write_safetensors(describe_weights<Form>(training),
                               half ? io::Precision::short_half : io::Precision::single);
}

// With the optimiser's state, in single precision: training goes on from it.
template <class Form, class Training>
std::vector<std::byte> write_whole(const Training& training) {
  io::Safetensors file = describe_weights<Form>(training);
  file.metadata[std::string(kAdamSteps)] = std::to_string(training.adam.steps);
  put_weights(training.adam.mean, kMean, file);
  put_weights(training.adam.square, kSquare, file);
  Form::each_kept([&](const std::string& name, const Matrix& matrix) { put_tensor(matrix, name, file); }, training);
  return io::write_safetensors(file);
}

template <class Form, class Training>
Result<void> take_optimiser(io::Safetensors& file, const std::string& name, Training& training) {
  Result<void> read = take_weights(file, kMean, name, training.adam.mean);
  if (read) read = take_weights(file, kSquare, name, training.adam.square);
  Form::each_kept(
      [&](const std::string& tensor, Matrix& matrix) {
        if (read) read = take_tensor(file, tensor, name, matrix);
      },
      training);
  if (!read) return read;
  const Result<int> steps = read_adam_steps(file.metadata, name, training.record.step);
  if (!steps) return std::unexpected(steps.error());
  training.adam.steps = *steps;
  return {};
}

// What write_weights or write_whole wrote; adam is empty (steps 0) where there are weights only. Errors: those of
// .safetensors, another kind of file, another vocabulary, a tensor that is missing, foreign or wrongly shaped.
template <class Form, class Training>
Result<Training> read_as(std::span<const std::byte> bytes, std::string_view file_name) {
  const std::string name(file_name);
  Result<io::Safetensors> file = open_checkpoint(bytes, name, Form::format, Form::called);
  if (!file) return std::unexpected(file.error());
  Training training;
  Result<void> read = take_fields(io::walk(training.settings), file->metadata, name);
  if (read) read = take_fields(io::walk(training.record), file->metadata, name);
  if (read) read = Form::prepare(file->metadata, name, training);
  if (!read) return std::unexpected(read.error());
  training.weights = make_weights<float>(training.config);
  training.adam = make_adam(training.config);
  read = take_weights(*file, {}, name, training.weights);
  if (read && file->metadata.contains(std::string(kAdamSteps))) read = take_optimiser<Form>(*file, name, training);
  if (read) read = check_all_taken(*file, name);
  if (!read) return std::unexpected(read.error());
  return training;
}

// Whether the optimiser's state is there.
template <class Training>
bool can_resume(const Training& training) {
  return training.adam.steps == training.record.step;
}

}  // namespace limelight::learn
