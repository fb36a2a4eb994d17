import { labels } from '@kerf/apis'
import type { RequirementSpec } from '@kerf/engine'
import { awsLabels } from '../label-names.ts'
import type { AmiAlias } from '../node-class/ami-family.ts'
import { familyTraits } from '../node-class/ami-family.ts'

/** A group of instance types of one architecture that share an image. */
export type ImageVariant = 'standard' | 'nvidia' | 'neuron' | 'windows'

/** An SSM parameter that contains the id of an image, and the variants that can use the image. */
export interface AliasParameter {
  readonly name: string
  readonly variants: readonly ImageVariant[]
}

const minorVersion = (kubernetesVersion: string): number => Number(kubernetesVersion.split('.')[1] ?? 0)

/**
 * Returns the reason why the alias cannot be used with this Kubernetes version, or undefined if it can
 * (`providers/aws/docs/spec/aws-node-class.md#conditions`).
 */
export const unsupportedAlias = (alias: AmiAlias, kubernetesVersion: string): string | undefined => {
  const minor = minorVersion(kubernetesVersion)
  if (alias.family === 'AL2' && minor >= 33)
    return `AWS publishes no AL2 images for Kubernetes ${kubernetesVersion}; use an alias of al2023, or select an image of your own`
  if (alias.family === 'Windows2025' && minor < 35)
    return `AWS publishes no Windows 2025 images for Kubernetes ${kubernetesVersion}; use windows2022@latest`
  return undefined
}

/** Returns true if the alias moves to newer images when they are published. */
export const isMovingAlias = ({ family, version }: AmiAlias): boolean =>
  version === 'latest' || family.startsWith('Windows')

const eks = (kubernetes: string, path: string): string =>
  `/aws/service/eks/optimized-ami/${kubernetes}/${path}/image_id`

/** Returns the SSM parameters under which AWS publishes the images of an alias (`providers/aws/docs/spec/aws.md#images`). */
export const aliasParameters = ({ family, version }: AmiAlias, kubernetes: string): readonly AliasParameter[] => {
  const isLatest = version === 'latest'
  switch (family) {
    case 'AL2': {
      const named = (long: string): string => (isLatest ? 'recommended' : `${long}-${kubernetes}-${version}`)
      return [
        { name: eks(kubernetes, `amazon-linux-2/${named('amazon-eks-node')}`), variants: ['standard'] },
        { name: eks(kubernetes, `amazon-linux-2-arm64/${named('amazon-eks-arm64-node')}`), variants: ['standard'] },
        { name: eks(kubernetes, `amazon-linux-2-gpu/${named('amazon-eks-gpu-node')}`), variants: ['neuron', 'nvidia'] },
      ]
    }
    case 'AL2023': {
      const parameter = (arch: string, variant: 'standard' | 'nvidia' | 'neuron'): AliasParameter => {
        const name = isLatest ? 'recommended' : `amazon-eks-node-al2023-${arch}-${variant}-${kubernetes}-${version}`
        return { name: eks(kubernetes, `amazon-linux-2023/${arch}/${variant}/${name}`), variants: [variant] }
      }
      return [
        parameter('x86_64', 'standard'),
        parameter('x86_64', 'nvidia'),
        parameter('x86_64', 'neuron'),
        parameter('arm64', 'standard'),
        parameter('arm64', 'nvidia'),
      ]
    }
    case 'Bottlerocket': {
      const number = version.replace(/^v+/, '')
      const name = (flavour: string, arch: string): string =>
        `/aws/service/bottlerocket/aws-k8s-${kubernetes}${flavour}/${arch}/${number}/image_id`
      return [
        { name: name('', 'x86_64'), variants: ['standard', 'neuron'] },
        { name: name('', 'arm64'), variants: ['standard'] },
        { name: name('-nvidia', 'x86_64'), variants: ['nvidia'] },
        { name: name('-nvidia', 'arm64'), variants: ['nvidia'] },
      ]
    }
    case 'Windows2019':
    case 'Windows2022':
    case 'Windows2025': {
      const year = family.slice('Windows'.length)
      const name = `/aws/service/ami-windows-latest/Windows_Server-${year}-English-Core-EKS_Optimized-${kubernetes}/image_id`
      return [{ name, variants: ['windows'] }]
    }
  }
}

/** The image names of each family. Names of AL2 images contain the Kubernetes version and end in the image version. */
const NAMES: Readonly<Record<AmiAlias['family'], RegExp>> = {
  AL2: /^amazon-eks-(arm64-|gpu-)?node-1\./,
  AL2023: /^amazon-eks-node-al2023-/,
  Bottlerocket: /^bottlerocket-/,
  Windows2019: /^Windows_Server-2019-/,
  Windows2022: /^Windows_Server-2022-/,
  Windows2025: /^Windows_Server-2025-/,
}

/**
 * Returns true if an image with this name belongs to the alias, for any Kubernetes version. AWS uses names such as
 * `amazon-eks-node-al2023-x86_64-standard-1.34-v20250101` and `bottlerocket-aws-k8s-1.34-x86_64-v1.20.4-5d9ac849`.
 */
export const isNameOfAlias = (name: string, { family, version }: AmiAlias): boolean =>
  NAMES[family].test(name) && (version === 'latest' || name.split('-').includes(`v${version.replace(/^v+/, '')}`))

const is = (key: string, operator: 'Exists' | 'DoesNotExist'): RequirementSpec => ({ key, operator })

/** Returns the requirements that an instance type must satisfy to use an image of the variant. */
export const variantRequirements = (variant: ImageVariant, family: AmiAlias['family']): readonly RequirementSpec[] => {
  switch (variant) {
    case 'standard':
      return [is(awsLabels.acceleratorCount, 'DoesNotExist'), is(awsLabels.gpuCount, 'DoesNotExist')]
    case 'nvidia':
      return [is(awsLabels.gpuCount, 'Exists')]
    case 'neuron':
      return [is(awsLabels.acceleratorCount, 'Exists')]
    case 'windows': {
      const build = familyTraits[family].windowsBuild
      return [
        { key: labels.os, operator: 'In', values: ['windows'] },
        ...(build === undefined ? [] : [{ key: labels.windowsBuild, operator: 'In', values: [build] } as const]),
      ]
    }
  }
}
