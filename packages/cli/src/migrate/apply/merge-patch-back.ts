import { ownValue } from '@kerf/apis'
import { isLoose, type Loose } from '@kerf/provider-kit/documents'

/** Returns the JSON merge patch that reverts `patch`: it restores the values that `before` has in the patched fields. */
export const patchBack = (before: unknown, patch: Loose): Loose =>
  Object.fromEntries(
    Object.entries(patch).map(([key, value]) => {
      const old = isLoose(before) ? ownValue(before, key) : undefined
      if (isLoose(value) && isLoose(old)) return [key, patchBack(old, value)]
      return [key, old === undefined ? null : old]
    }),
  )
