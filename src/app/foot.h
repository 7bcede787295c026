// The row under the figure: the examples, the sentence and the controls of this step. On a phone there is none.
#pragma once

#include <cstddef>
#include <optional>

#include <vector>

#include "app/page.h"
#include "io/fields.h"

namespace limelight::app {

// How high the row's band is in this scene, whatever the step; 0 where it has nothing to show.
float foot_height(const App& app);

// What the shell offers at this step.
struct Offered {
  const std::vector<io::FieldInfo>& fields;
  const std::optional<scenes::Question>& question;
  bool job = true;  // its button; false where the figure has one
};

// Those of the fields that have a control at this step, in their order.
std::vector<const io::FieldInfo*> controls_of(const App& app, const std::vector<io::FieldInfo>& fields);
// How many of them the row has room for, from the first, and whether it has the job's button; the inspector has the
// others.
struct InFoot {
  std::size_t controls = 0;
  bool job = false;
};
InFoot in_foot(const App& app, const Regions& regions, const Offered& offered);

void add_foot(Page& page, const App& app, const Offered& offered);

}  // namespace limelight::app
