import { type CrdFile, coreResources, crdManifests, type KubeObject } from '@kerf/apis'
import { type ProviderDescriptor, providerKinds } from '@kerf/provider-contract'
import type { Manifest } from '../manifests/manifest.ts'
import { kindDescriptors, providerNamed, providers } from '../providers.ts'

const all: readonly ProviderDescriptor[] = providers

const filesFor = (list: readonly ProviderDescriptor[]): readonly CrdFile[] =>
  crdManifests({
    resources: [...coreResources, ...list.flatMap(providerKinds).map(({ resource }) => resource)],
    rules: (kind, schema) => list.reduce((changed, { chart }) => chart.coreRules?.(kind, changed) ?? changed, schema),
  })

/** Returns the CRDs of every provider. Their validation rules allow every label that at least one provider allows. */
export const allCrdFiles = (): readonly CrdFile[] =>
  crdManifests({ resources: [...coreResources, ...kindDescriptors.map(({ resource }) => resource)] })

/**
 * Returns the CRDs of every provider as manifests, in the order of `allCrdFiles`. They are the same objects that reading the files' YAML would
 * give, which takes a quarter of a second.
 */
export const allCrdManifests = (): readonly Manifest[] =>
  allCrdFiles().map(({ manifest, fileName }) => ({
    object: JSON.parse(JSON.stringify(manifest)) as KubeObject,
    file: fileName,
    line: 1,
  }))

/** Returns the CRDs for one provider: its own kinds, and the core kinds with this provider's validation rules. */
export const crdFiles = (provider: string): readonly CrdFile[] => filesFor([providerNamed(provider)])

/** Returns the CRDs that the chart installs. */
export const chartCrdFiles = (): readonly CrdFile[] => filesFor(all.filter(({ chart }) => chart.hasCrds))
