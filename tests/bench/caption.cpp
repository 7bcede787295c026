// What a frame of Caption takes while an object is dragged: both models see the picture and write its caption, natively
// and on one thread. Prints JSON, medians in milliseconds. Arguments: the folder of the trained weights, rounds.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "learn/caption_steps.h"
#include "scenes/caption/caption.h"
#include "text/embedded_fonts.h"

using namespace limelight;
using namespace limelight::learn;

namespace {

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  const auto* const data = reinterpret_cast<const std::byte*>(bytes.data());
  return {data, data + bytes.size()};
}

// Milliseconds that this thread has computed.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double median(int rounds, const std::function<void()>& run) {
  std::vector<double> times;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_time();
    run();
    times.push_back(processor_time() - start);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "bench_caption FOLDER [ROUNDS]\n");
    return 2;
  }
  if (!text::load_embedded_fonts()) return 1;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 50;
  const scenes::SceneDef& scene = *scenes::find("caption");
  std::any state = scene.initial();
  std::map<std::string, std::any, std::less<>> resources;
  for (const scenes::Resource* resource : scene.needs(state, {})) {
    Result<std::any> read =
        resource->read(read_file(std::string(argv[1]) + "/" + std::string(resource->name)), resource->name);
    if (!read.has_value()) {
      std::fprintf(stderr, "%s\n", read.error().message.c_str());
      return 1;
    }
    resources.emplace(resource->name, std::move(*read));
  }
  const scenes::Inputs inputs{.resources = &resources};
  const auto& soft =
      **inputs.resource<scenes::caption::Model>(scenes::caption::file_of({}, scenes::caption::Gaze::soft));
  const auto& hard =
      **inputs.resource<scenes::caption::Model>(scenes::caption::file_of({}, scenes::caption::Gaze::hard));
  const Matrix picture = pictures::paint(scenes::caption::scene_of(scenes::state_in<scenes::caption::State>(state)));
  const double encoding = median(rounds, [&] {
    captions::Reader(soft, picture);
    captions::Reader(hard, picture);
  });
  const double captioning = median(rounds, [&] {
    captions::Reader(soft, picture).write({.look = captions::Look::soft});
    captions::Reader(hard, picture).write({.look = captions::Look::likeliest});
  });
  int place = 0;
  Trace trace;
  const double frame = median(rounds, [&] {
    const std::string x = std::to_string(10 + place++ % 40);
    if (!scene.change(state, {{"at", "0.0:" + x}})) std::abort();
    trace = scene.compute(state, inputs);
  });
  const double drawing = median(rounds, [&] { (void)scene.draw(state, trace, {.width = 756, .height = 592}); });
  std::printf(
      "{\"encoding, both\": %.3g, \"encoding and captions, both\": %.3g, \"moving and computing\": %.3g, "
      "\"drawing\": %.3g}\n",
      encoding, captioning, frame, drawing);
  return 0;
}
