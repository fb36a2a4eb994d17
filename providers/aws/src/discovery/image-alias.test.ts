import { labels } from '@kerf/apis'
import { expect, test } from 'vitest'
import { awsLabels } from '../label-names.ts'
import type { AmiAlias } from '../node-class/ami-family.ts'
import { aliasParameters, type ImageVariant, isMovingAlias, variantRequirements } from './image-alias.ts'

// The expected values come from the table in `providers/aws/docs/spec/aws.md#images`.

const OPTIMIZED = '/aws/service/eks/optimized-ami/1.31'
const WINDOWS = '/aws/service/ami-windows-latest/Windows_Server'
const bottlerocket = (flavour: string, arch: string, version: string): string =>
  `/aws/service/bottlerocket/aws-k8s-1.31${flavour}/${arch}/${version}/image_id`

test.each<[AmiAlias['family'], string, readonly (readonly [string, ...ImageVariant[]])[]]>([
  [
    'AL2',
    'latest',
    [
      [`${OPTIMIZED}/amazon-linux-2/recommended/image_id`, 'standard'],
      [`${OPTIMIZED}/amazon-linux-2-arm64/recommended/image_id`, 'standard'],
      [`${OPTIMIZED}/amazon-linux-2-gpu/recommended/image_id`, 'neuron', 'nvidia'],
    ],
  ],
  [
    'AL2',
    'v1',
    [
      [`${OPTIMIZED}/amazon-linux-2/amazon-eks-node-1.31-v1/image_id`, 'standard'],
      [`${OPTIMIZED}/amazon-linux-2-arm64/amazon-eks-arm64-node-1.31-v1/image_id`, 'standard'],
      [`${OPTIMIZED}/amazon-linux-2-gpu/amazon-eks-gpu-node-1.31-v1/image_id`, 'neuron', 'nvidia'],
    ],
  ],
  [
    'AL2023',
    'latest',
    (
      [
        ['x86_64', 'standard'],
        ['x86_64', 'nvidia'],
        ['x86_64', 'neuron'],
        ['arm64', 'standard'],
        ['arm64', 'nvidia'],
      ] as const
    ).map(([arch, variant]) => [`${OPTIMIZED}/amazon-linux-2023/${arch}/${variant}/recommended/image_id`, variant]),
  ],
  [
    'Bottlerocket',
    'latest',
    [
      [bottlerocket('', 'x86_64', 'latest'), 'standard', 'neuron'],
      [bottlerocket('', 'arm64', 'latest'), 'standard'],
      [bottlerocket('-nvidia', 'x86_64', 'latest'), 'nvidia'],
      [bottlerocket('-nvidia', 'arm64', 'latest'), 'nvidia'],
    ],
  ],
  ['Windows2019', 'latest', [[`${WINDOWS}-2019-English-Core-EKS_Optimized-1.31/image_id`, 'windows']]],
  ['Windows2022', 'v1', [[`${WINDOWS}-2022-English-Core-EKS_Optimized-1.31/image_id`, 'windows']]],
  ['Windows2025', 'latest', [[`${WINDOWS}-2025-English-Core-EKS_Optimized-1.31/image_id`, 'windows']]],
])('the images of %s in version %s are published under these names', (family, version, expected) => {
  expect(aliasParameters({ family, version }, '1.31').map(({ name, variants }) => [name, ...variants])).toEqual(
    expected,
  )
})

test('the pinned versions of AL2023 are named by architecture and variant', () => {
  expect(aliasParameters({ family: 'AL2023', version: 'v1' }, '1.31').at(-1)?.name).toBe(
    `${OPTIMIZED}/amazon-linux-2023/arm64/nvidia/amazon-eks-node-al2023-arm64-nvidia-1.31-v1/image_id`,
  )
  expect(aliasParameters({ family: 'Bottlerocket', version: 'vv1.2.3' }, '1.31')[0]?.name).toBe(
    bottlerocket('', 'x86_64', '1.2.3'),
  )
})

test('an alias moves to newer images if it names the latest version, and always for Windows', () => {
  expect(isMovingAlias({ family: 'AL2', version: 'latest' })).toBe(true)
  expect(isMovingAlias({ family: 'AL2', version: 'v1' })).toBe(false)
  expect(isMovingAlias({ family: 'Windows2022', version: 'v1' })).toBe(true)
})

const [gpus, accelerators] = [awsLabels.gpuCount, awsLabels.acceleratorCount]
test.each<[ImageVariant, AmiAlias['family'], object[]]>([
  [
    'standard',
    'AL2',
    [
      { key: accelerators, operator: 'DoesNotExist' },
      { key: gpus, operator: 'DoesNotExist' },
    ],
  ],
  ['nvidia', 'AL2', [{ key: gpus, operator: 'Exists' }]],
  ['neuron', 'AL2', [{ key: accelerators, operator: 'Exists' }]],
  [
    'windows',
    'Windows2022',
    [
      { key: labels.os, operator: 'In', values: ['windows'] },
      { key: labels.windowsBuild, operator: 'In', values: ['10.0.20348'] },
    ],
  ],
])('to which instance types an image of the variant %s applies', (variant, family, expected) => {
  expect(variantRequirements(variant, family)).toEqual(expected)
})
