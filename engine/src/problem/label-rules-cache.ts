import { LabelRules } from '../requirements/label-rules.ts'
import type { ScheduleOptions } from '../schedule-options.ts'

const MOST_KNOWN = 100
const byText = new Map<string, LabelRules>()

/** Label rules of a set of options. The same object for equal options: what is read with it is remembered under it. */
export const rulesOf = ({ vocabulary, reservationIdLabel }: ScheduleOptions): LabelRules => {
  const whole = reservationIdLabel === undefined ? vocabulary : vocabulary.withWellKnown([reservationIdLabel])
  let rules = byText.get(whole.identity)
  if (rules === undefined) {
    if (byText.size > MOST_KNOWN) byText.clear()
    rules = new LabelRules(whole)
    byText.set(whole.identity, rules)
  }
  return rules
}
