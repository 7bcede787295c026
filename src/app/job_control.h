// The button of a scene's job, in the row under the figure and in the inspector.
#pragma once

#include "app/app.h"
#include "figure/figure.h"

namespace limelight::app {

// Whether the step has one. One that begins by itself is told of where it takes longer than a moment, and not once it
// is done.
bool has_job(const App& app);

// As wide in a row whether it runs, rests or is done, so that nothing else comes under the hand; 0 without a job.
float job_width(const App& app);
void add_row_job(figure::Figure& figure, const App& app, figure::Rect rect);

// At the top of a column as wide as this. Returns the height.
float add_column_job(figure::Figure& figure, const App& app, figure::Point corner, float width);
// What it found, once it is done.
float add_job_outcome(figure::Figure& figure, const App& app, figure::Point corner, float width);

}  // namespace limelight::app
