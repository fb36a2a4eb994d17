import { labels, toQuantity } from '@kerf/apis'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import type { CloudProvider } from './cloud-provider.ts'
import { findError, LaunchPendingError } from './errors.ts'
import { overlaidProvider } from './overlaid-provider.ts'

const overlays = {
  apply: () => [],
  capacityOf: (pool: string, type: string) =>
    pool === 'default' && type === 'large' ? { 'example.com/gpu': toQuantity(2) } : undefined,
}
const failing = (error: Error) => {
  const provider = { create: () => Promise.reject(error) } as unknown as CloudProvider
  return overlaidProvider(provider, overlays).create(nodeClaim('a', { pool: 'default' }), new AbortController().signal)
}

test('a pending instance has its overlaid capacity', async () => {
  const coming = { labels: { [labels.instanceType]: 'large' }, capacity: { cpu: '4' }, allocatable: { cpu: '3' } }
  const original = new Error('wrapped', { cause: new LaunchPendingError('being made', 5_000, { coming }) })
  const pending = findError(await failing(original).catch((error: unknown) => error), LaunchPendingError)
  expect(pending).toMatchObject({ message: 'being made', retryAfter: 5_000, cause: original })
  expect(pending?.coming).toEqual({
    ...coming,
    capacity: { cpu: '4', 'example.com/gpu': '2' },
    allocatable: { cpu: '3', 'example.com/gpu': '2' },
  })
})

test('other errors are returned unchanged', async () => {
  for (const error of [new Error('no'), new LaunchPendingError('being made', 5_000)]) {
    await expect(failing(error)).rejects.toBe(error)
  }
})
