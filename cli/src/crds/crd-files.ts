import { type CrdFile, coreResources, crdManifests } from '@kerf/apis'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { knownProviders, providerNamed, providers } from '../providers.ts'

const all: readonly ProviderDescriptor[] = providers

const filesFor = (list: readonly ProviderDescriptor[]): readonly CrdFile[] =>
  crdManifests({
    resources: [...coreResources, ...list.flatMap(({ nodeClasses }) => nodeClasses.map(({ resource }) => resource))],
    rules: (kind, schema) => list.reduce((changed, { chart }) => chart.coreRules?.(kind, changed) ?? changed, schema),
  })

/** The CRDs of every provider. Labels that only one of them refuses are admitted. */
export const allCrdFiles = (): readonly CrdFile[] =>
  crdManifests({
    resources: [
      ...coreResources,
      ...knownProviders.flatMap(({ nodeClasses }) => nodeClasses.map(({ resource }) => resource)),
    ],
  })

/** The CRDs with one provider: its node classes, and its rules in those of the core kinds. */
export const crdFiles = (provider: string): readonly CrdFile[] => filesFor([providerNamed(provider)])

/** The CRDs that the chart installs. */
export const chartCrdFiles = (): readonly CrdFile[] => filesFor(all.filter(({ chart }) => chart.hasCrds))
