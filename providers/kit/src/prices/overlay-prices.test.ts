import { formatTime, groupVersion, karpenterKinds, labels, type NodeOverlay } from '@kerf/apis'
import { FixedInformers } from '@kerf/runtime'
import { expect, test } from 'vitest'
import { OverlayPrices } from './overlay-prices.ts'

type Spec = NodeOverlay['spec']

const overlay = (
  name: string,
  spec: Spec,
  more: { readonly status?: 'True' | 'False'; readonly isDeleted?: boolean } = {},
) => {
  const lastTransitionTime = formatTime(0)
  const { status = 'True', isDeleted = false } = more
  return {
    apiVersion: groupVersion(karpenterKinds.NodeOverlay),
    kind: 'NodeOverlay',
    metadata: { name, ...(isDeleted ? { deletionTimestamp: formatTime(0) } : {}) },
    spec,
    status: {
      conditions: [{ type: 'ValidationSucceeded', status, reason: 'Validated', message: '', lastTransitionTime }],
    },
  }
}
const types = (...values: readonly string[]): Spec['requirements'] => [
  { key: labels.instanceType, operator: 'In', values: [...values] },
]
const overlayPrices = (...overlays: readonly ReturnType<typeof overlay>[]) => [
  ...new OverlayPrices(new FixedInformers(overlays)).current(),
]

test('an active overlay sets the price of each type in its requirements', () => {
  expect(overlayPrices(overlay('a', { price: '1.5', requirements: types('small', 'large') }))).toEqual([
    ['small', 1.5],
    ['large', 1.5],
  ])
})

test('a higher weight takes precedence; for equal weights, the alphabetically later name does', () => {
  const light = overlay('z', { price: '1', weight: 1, requirements: types('small', 'large') })
  const heavy = overlay('a', { price: '2', weight: 9, requirements: types('small') })
  expect(new Map(overlayPrices(light, heavy))).toEqual(
    new Map([
      ['small', 2],
      ['large', 1],
    ]),
  )
  const same = (name: string, price: string) => overlay(name, { price, requirements: types('small') })
  expect(overlayPrices(same('b', '2'), same('a', '1'))).toEqual([['small', 2]])
})

test.each([
  ['that was refused', overlay('a', { price: '1', requirements: types('small') }, { status: 'False' })],
  ['that is deleted', overlay('a', { price: '1', requirements: types('small') }, { isDeleted: true })],
  ['without a price', overlay('a', { priceAdjustment: '+10%', requirements: types('small') })],
  [
    'with other requirements than the type',
    overlay('a', { price: '1', requirements: [...types('small'), ...types('small')] }),
  ],
  [
    'that excludes types',
    overlay('a', { price: '1', requirements: [{ key: labels.instanceType, operator: 'NotIn', values: ['x'] }] }),
  ],
])('an overlay %s gives no price', (_what, each) => {
  expect(overlayPrices(each)).toEqual([])
})

test('while the feature gate is off, there are no overlay prices', () => {
  expect([...new OverlayPrices().current()]).toEqual([])
})
