import { foundAny, objectName, undecided } from '@kerf/provider-kit/doctor'
import type { Check } from '../check.ts'

/** The oldest minor release of Kubernetes that docs/install.md lists as tested. */
const OLDEST = 34
const NEWEST = 36
/** Maximum number of minor releases by which a kubelet may be older than the API server. */
const SKEW = 3

const versionMinor = (version: string | undefined): number | undefined => {
  const found = /^v?1\.(\d+)/.exec(version ?? '')?.[1]
  return found === undefined ? undefined : Number(found)
}

export const ctl009: Check = {
  id: 'CTL-009',
  group: 'controller',
  severity: 'warning',
  title: 'Kubernetes versions that are not tested, or kubelets that are too old',
  why: 'Kerf is tested with 1.34 to 1.36. A kubelet may be three minor releases older than the API server; long-lived nodes fall behind. The check takes the version of the newest kubelet for that of the API server.',
  reads: ['Node'],
  examine({ nodes }) {
    const known = nodes.flatMap((node) => {
      const minor = versionMinor(node.status?.nodeInfo?.['kubeletVersion'])
      return minor === undefined ? [] : [{ node, minor }]
    })
    if (known.length === 0) return undecided('no node reports its kubelet version')
    const newest = Math.max(...known.map(({ minor }) => minor))
    const behind = known.filter(({ minor }) => newest - minor > SKEW)
    const odd = newest < OLDEST || newest > NEWEST ? known.filter(({ minor }) => minor === newest) : []
    return foundAny(
      [...new Set([...behind, ...odd])].map(({ node }) => objectName(node)),
      {
        seen: [
          ...(behind.length === 0 ? [] : [`kubelets more than ${SKEW} minor releases behind 1.${newest}`]),
          ...(odd.length === 0 ? [] : [`1.${newest} is not among the tested releases 1.${OLDEST} to 1.${NEWEST}`]),
        ].join('; '),
        remedy:
          behind.length > 0
            ? 'replace these nodes: kubectl delete nodeclaim NAME, or upgrade their node group'
            : 'test this release outside production first; docs/install.md lists the tested releases',
      },
      `nodes run 1.${Math.min(...known.map(({ minor }) => minor))} to 1.${newest}`,
    )
  },
}
