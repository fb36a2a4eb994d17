import { matchesRequirements, parseLabelSelector as parseRequirements } from '@kerf/apis'
import { statusErrors } from './status-errors.ts'

/** Decides on the labels of one object. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean

/** Parses `app=web,tier in (a,b),!gone` as kubectl writes it. Throws a 400 when it cannot be read. */
export const parseLabelSelector = (text: string | undefined): LabelMatch => {
  if (text === undefined || text.trim() === '') return () => true
  try {
    const requirements = parseRequirements(text)
    return (labels) => matchesRequirements(requirements, labels)
  } catch (error) {
    throw statusErrors.badRequest(
      `unable to parse requirement: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
