import { labels, type Node, tryParseQuantity } from '@kerf/apis'
import type { DoctorCheck } from '@kerf/provider-contract'
import { foundAny } from '@kerf/provider-kit/doctor'
import { accountRecords, ofCloud, text } from './account-documents.ts'

/** Quota codes for the vCPUs of the standard families, by capacity type. */
const CODES = { 'on-demand': 'L-1216C47A', spot: 'L-34B43A08' } as const
const SHARE = 0.8

const nodeCpus = (nodes: readonly Node[]): number =>
  nodes.reduce((sum, { status }) => sum + Number(tryParseQuantity(status?.capacity?.['cpu'] ?? '0') ?? 0n) / 1e9, 0)

export const cld006: DoctorCheck = {
  id: 'CLD-006',
  group: 'cloud',
  severity: 'warning',
  title: 'Quotas that are nearly used up',
  why: 'AWS rejects launches beyond the vCPU quota of the account, regardless of the limits of NodePools. The check counts only the nodes of this cluster, as if they were of the standard families; other clusters of the account add to the usage.',
  reads: ['Node', ofCloud('Quotas')],
  examine({ nodes, cloud }) {
    const ours = nodes.filter(({ spec }) => spec.providerID?.startsWith('aws:') === true)
    const near = (Object.entries(CODES) as readonly (readonly [string, string])[]).flatMap(([capacityType, code]) => {
      const quota = accountRecords(cloud, 'Quotas').find((each) => text(each['QuotaCode']) === code)
      const used = nodeCpus(
        ours.filter(
          ({ metadata }) => (metadata.labels?.[labels.capacityType] === 'spot') === (capacityType === 'spot'),
        ),
      )
      const value = Number(quota?.['Value'] ?? Number.POSITIVE_INFINITY)
      return used >= SHARE * value ? [{ code, capacityType, used, value }] : []
    })
    return foundAny(
      near.map(({ code }) => `Quota ${code}`),
      {
        seen: near.map(({ capacityType, used, value }) => `${capacityType}: ${used} of ${value} vCPUs`).join('; '),
        remedy: `aws service-quotas request-service-quota-increase --service-code ec2 --quota-code ${near[0]?.code ?? ''} --desired-value N`,
      },
      'this cluster uses less than 80 % of the vCPU quotas',
    )
  },
}
