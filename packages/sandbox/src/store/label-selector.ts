import { matchesRequirements, parseLabelSelector as parseRequirements } from '@kerf/apis'
import { statusErrors } from './status-errors.ts'

/** Returns whether the labels of an object match. */
export type LabelMatch = (labels: Readonly<Record<string, string>>) => boolean

/** Parses a selector in kubectl's format, such as `app=web,tier in (a,b),!gone`. Throws 400 if it is invalid. */
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
