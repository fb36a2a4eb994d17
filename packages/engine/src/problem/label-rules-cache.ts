import { LabelRules } from '../requirements/label-rules.ts'
import type { ScheduleOptions } from '../schedule-options.ts'

const MOST_KNOWN = 100
const byText = new Map<string, LabelRules>()

/** Returns the label rules for some options. Equal options get the same object, so that caches keyed by it are shared. */
export const cachedLabelRules = ({ vocabulary, reservationIdLabel }: ScheduleOptions): LabelRules => {
  const whole = reservationIdLabel === undefined ? vocabulary : vocabulary.withWellKnown([reservationIdLabel])
  let rules = byText.get(whole.identity)
  if (rules === undefined) {
    if (byText.size > MOST_KNOWN) byText.clear()
    rules = new LabelRules(whole)
    byText.set(whole.identity, rules)
  }
  return rules
}
