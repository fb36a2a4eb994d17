import { expect, test } from 'vitest'
import { workerImage } from './worker-images.ts'

const versions = [
  { kubernetes_version: 'v1.30.9', worker_image_id: 'u-30-9' },
  { kubernetes_version: 'v1.31.1', worker_image_id: 'u-31-1' },
  { kubernetes_version: 'v1.31.5', worker_image_id: 'u-31-5' },
  { kubernetes_version: 'v1.31.13', worker_image_id: 'u-31-13' },
  { kubernetes_version: 'v1.31.20', worker_image_id: '' },
  { kubernetes_version: 'v1.31.3.flatcar', worker_image_id: 'f-31-3' },
  { kubernetes_version: 'later', worker_image_id: 'odd' },
]

test.each([
  ['v1.31.5', 'ubuntu', 'u-31-5'],
  ['v1.31.5+build', 'ubuntu', 'u-31-5'],
  // Patch versions are compared as numbers, and versions without an image are ignored.
  ['v1.31.20', 'ubuntu', 'u-31-13'],
  ['v1.31.5', 'flatcar', 'f-31-3'],
  ['v1.30.1', 'ubuntu', 'u-30-9'],
  ['v1.30.1', 'flatcar', undefined],
  ['v1.32.0', 'ubuntu', undefined],
  ['unknown', 'ubuntu', undefined],
])('a cluster of version %s with %s gets %s', (cluster, os, image) => {
  expect(workerImage(versions, cluster, os)).toBe(image)
})
