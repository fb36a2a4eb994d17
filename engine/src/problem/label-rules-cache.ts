import { LabelRules } from '../requirements/label-rules.ts'
import type { ScheduleOptions } from '../schedule-options.ts'

const byText = new Map<string, LabelRules>()

/** Label rules of a set of options. The same object for equal options: what is read with it is remembered under it. */
export const rulesOf = (options: ScheduleOptions): LabelRules => {
  const wellKnown = [...(options.wellKnownLabels ?? [])]
  if (options.reservationIdLabel !== undefined) wellKnown.push(options.reservationIdLabel)
  const text = JSON.stringify([wellKnown.sort(), options.valueAliases ?? {}])
  let rules = byText.get(text)
  if (rules === undefined) {
    if (byText.size > 100) byText.clear()
    rules = new LabelRules(wellKnown, options.valueAliases)
    byText.set(text, rules)
  }
  return rules
}
