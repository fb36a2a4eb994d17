import { ownValue } from '@kerf/apis'
import { isLoose, type Loose } from '@kerf/provider-kit/documents'

/** Returns the JSON merge patch that restores the fields of `before` that `patch` is about to change. */
export const patchBack = (before: unknown, patch: Loose): Loose =>
  Object.fromEntries(
    Object.entries(patch).map(([key, value]) => {
      const old = isLoose(before) ? ownValue(before, key) : undefined
      if (isLoose(value) && isLoose(old)) return [key, patchBack(old, value)]
      return [key, old === undefined ? null : old]
    }),
  )
