import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { allCrdFiles, crdFiles } from '../../packages/cli/src/crds/crd-files.ts'
import { providers } from '../../packages/cli/src/providers.ts'
import { root } from '../source-files.ts'

const HEAD = '# Rendered from deploy/charts/karpenter, for kubectl apply. docs/install.md explains how.\n'
/** Matches the labels that mark an object as managed by Helm. */
const HELM_LABELS = /^ *(?:helm\.sh\/chart|app\.kubernetes\.io\/managed-by): .*\n/gm
const SOURCE = /^# Source: .*\n/gm

/** The templates for a separate management cluster: the account that Kerf uses there, and its role. */
const MANAGEMENT = ['serviceaccount', 'rbac-management'].map((name) => `--show-only=templates/${name}.yaml`)

const rendered = (helm: string, chart: string, values: readonly string[], flags: readonly string[] = []): string => {
  const args = ['template', 'karpenter', chart, '--namespace=kube-system', ...flags]
  const text = execFileSync(helm, [...args, ...values.map((value) => `--set=${value}`)], { encoding: 'utf8' })
  return HEAD + text.replaceAll(SOURCE, '').replaceAll(HELM_LABELS, '')
}

/** Returns the CRDs that one provider needs, as one file. */
const plainCrds = ({ name, chart }: ProviderDescriptor): string =>
  HEAD +
  // The CRDs of all providers may be needed, because a rehearsal may use NodePools of any provider.
  (chart.hasCrds ? crdFiles(name) : allCrdFiles())
    .map(({ yaml }) => (yaml.startsWith('---') ? yaml : `---\n${yaml}`))
    .join('')

/** The plain manifests of one provider. */
export interface PlainManifests {
  readonly provider: string
  readonly crds: string
  /** The manifest of the controller with its roles. */
  readonly karpenter: string
  /** The account and role for a separate management cluster, if the provider has one. */
  readonly management?: string
}

/**
 * Returns each provider's manifests for installing Kerf without Helm. They are rendered from the chart and not stored in the repository.
 * @param helm the path of Helm
 * @throws Error if Helm refuses the chart
 */
export const plainManifests = (
  helm: string,
  list: readonly ProviderDescriptor[] = providers,
  chart: string = join(root, 'deploy', 'charts', 'karpenter'),
): readonly PlainManifests[] =>
  list.map((provider) => {
    const values = provider.chart.manifestValues
    const both = {
      provider: provider.name,
      crds: plainCrds(provider),
      karpenter: rendered(helm, chart, values),
    }
    if ((provider.managementPermissions ?? []).length === 0) return both
    return { ...both, management: rendered(helm, chart, values, MANAGEMENT) }
  })
