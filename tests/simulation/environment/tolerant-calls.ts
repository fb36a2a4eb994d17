import type { KubeObject } from '@kerf/apis'
import { ApiError, type ObjectRef } from '@kerf/runtime'

/** Makes a call. Ignores errors for objects that were deleted, already exist, or do not allow the change. */
export const tolerating = async (act: () => Promise<unknown>): Promise<void> => {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof ApiError) || (error.code !== 404 && error.code !== 409 && error.code !== 422)) throw error
  }
}

export const toObjectRef = ({ metadata }: Pick<KubeObject, 'metadata'>): ObjectRef => ({
  name: metadata.name,
  ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
})

/** Selects one of the existing objects. Every number is valid, because the function uses it modulo the number of objects. */
export const picked = <T>(from: readonly T[], pick: number): T | undefined => from[pick % Math.max(1, from.length)]
