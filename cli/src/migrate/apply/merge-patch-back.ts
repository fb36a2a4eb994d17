import { ownValue } from '@kerf/apis'
import { isLoose, type Loose } from '../groups/loose.ts'

/** The JSON merge patch that puts back what another one is about to change. */
export const patchBack = (before: unknown, patch: Loose): Loose =>
  Object.fromEntries(
    Object.entries(patch).map(([key, value]) => {
      const old = isLoose(before) ? ownValue(before, key) : undefined
      if (isLoose(value) && isLoose(old)) return [key, patchBack(old, value)]
      return [key, old === undefined ? null : old]
    }),
  )
