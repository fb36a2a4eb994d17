import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { useT } from '../locales/use-t.ts'
import { priceOf, showPrice } from '../model/price.ts'
import { labelOf, textAt, timeAt } from '../model/read.ts'
import { ClaimLink, NodeLink } from './links.tsx'
import { Age } from './show-time.tsx'
import { ClaimChip } from './status-chip.tsx'

/** The NodeClaims of a NodePool or NodeClass, with their nodes. */
export const ClaimsSection = ({
  claims,
  isKnown = true,
}: {
  readonly claims: readonly AnyObject[]
  /** False while they are loading, or when the user may not list them. */
  readonly isKnown?: boolean
}) => {
  const t = useT()
  return (
    <SectionBox title={t('nodeClaims')}>
      <SimpleTable
        emptyMessage={t(isKnown ? 'none' : 'notKnown')}
        rowsPerPage={[15, 25, 50]}
        columns={[
          { label: t('name'), getter: (claim: AnyObject) => <ClaimLink name={claim.getName()} /> },
          { label: t('status'), getter: (claim: AnyObject) => <ClaimChip claim={claim.jsonData} /> },
          {
            label: t('instanceType'),
            getter: (claim: AnyObject) => labelOf(claim.jsonData, 'node.kubernetes.io/instance-type') ?? '',
          },
          {
            label: t('zone'),
            getter: (claim: AnyObject) => labelOf(claim.jsonData, 'topology.kubernetes.io/zone') ?? '',
          },
          {
            label: t('node'),
            getter: (claim: AnyObject) => <NodeLink name={textAt(claim.jsonData, 'status', 'nodeName')} />,
          },
          {
            label: t('hourlyPrice'),
            getter: (claim: AnyObject) => {
              const price = priceOf(claim.jsonData)
              return price === undefined ? '–' : showPrice(price)
            },
          },
          {
            label: t('age'),
            getter: (claim: AnyObject) => <Age of={timeAt(claim.jsonData, 'metadata', 'creationTimestamp')} />,
          },
        ]}
        data={[...claims]}
      />
    </SectionBox>
  )
}
