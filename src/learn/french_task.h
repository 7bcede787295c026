// The corpus as a task: a word or a sign is a token, lengths are counted in words.
#pragma once

#include "learn/french.h"
#include "learn/tasks.h"

namespace limelight::learn::french {

// Its training part has no sentence of a held-out pattern.
Task make_task(std::string_view name, const TaskOptions& options);

}  // namespace limelight::learn::french
