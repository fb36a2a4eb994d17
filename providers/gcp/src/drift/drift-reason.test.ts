import { condition, nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { nodeClassHashAnnotations as keys } from '../names.ts'
import { gceNodeClass } from '../testing/gce-node-class.ts'
import { driftReason } from './drift-reason.ts'

const PATH = 'projects/gke-node-images/global/images/gke-1351-cos'
const hash = (value: string, version = 'v4') => ({ [keys.hash]: value, [keys.version]: version })

const claim = (imageID: string, annotations: Readonly<Record<string, string>> = hash('1')) =>
  nodeClaim('a', { metadata: { annotations }, ...(imageID === '' ? {} : { status: { imageID } }) })

const nodeClass = (
  images: readonly string[],
  {
    ready = 'True',
    value = '1',
    deletionTimestamp,
  }: {
    readonly ready?: 'True' | 'False' | 'Unknown'
    readonly value?: string
    readonly deletionTimestamp?: string
  } = {},
) =>
  gceNodeClass('default', {
    metadata: { annotations: hash(value), ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    status: {
      images: images.map((sourceImage) => ({ sourceImage, requirements: [] })),
      conditions: [condition('ImagesReady', ready)],
    },
  })

test('an image that the class selects is no drift, as a path or as a URL', () => {
  expect(driftReason(claim(PATH), nodeClass(['other', PATH]))).toBeUndefined()
  expect(driftReason(claim(`https://www.googleapis.com/compute/v1/${PATH}`), nodeClass([PATH]))).toBeUndefined()
})

test('a different image is drift', () => {
  expect(driftReason(claim(PATH), nodeClass(['other']))).toBe('ImageDrift')
})

test.each(['False', 'Unknown'] as const)('while ImagesReady is %s, no image is drift', (ready) => {
  expect(driftReason(claim(PATH), nodeClass(['other'], { ready }))).toBeUndefined()
})

test('a claim whose image is unknown has no image drift', () => {
  expect(driftReason(claim(''), nodeClass(['other']))).toBeUndefined()
})

test('a different hash of the same version is drift, and takes precedence over the image', () => {
  expect(driftReason(claim(PATH), nodeClass(['other'], { value: '2' }))).toBe('NodeClassDrift')
  expect(driftReason(claim(PATH, hash('2', 'v3')), nodeClass([PATH]))).toBeUndefined()
})

test('a class that is being deleted causes no drift', () => {
  expect(
    driftReason(claim(PATH), nodeClass(['other'], { value: '2', deletionTimestamp: '2026-01-01T00:00:00Z' })),
  ).toBeUndefined()
})
