import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { useReadable } from '../cluster/use-reported.ts'
import { useT } from '../locales/use-t.ts'
import { emptyKey } from '../model/list-state.ts'
import { objectLabel, textAt, timeAt } from '../model/read.ts'
import { DriftChip } from './drift-chip.tsx'
import { ClaimLink, NodeLink } from './links.tsx'
import { PriceText } from './price-text.tsx'
import { ShortText } from './short-text.tsx'
import { Age } from './show-time.tsx'
import { isBroadEnough, useBreadth } from './use-breadth.ts'
import { useDriftHolds } from './use-drift-holds.ts'

/** Shows the NodeClaims of a NodePool or NodeClass, with their nodes. */
export const ClaimsSection = ({
  claims,
  isKnown = true,
  isLoading = false,
}: {
  readonly claims: readonly AnyObject[]
  /** False while the claims are loading, or if the user is not allowed to list them. */
  readonly isKnown?: boolean
  readonly isLoading?: boolean
}) => {
  const t = useT()
  const breadth = useBreadth()
  const holds = useDriftHolds()
  const readable = useReadable()
  return (
    <SectionBox title={t('nodeClaims')}>
      <SimpleTable
        emptyMessage={t(emptyKey(isKnown, isLoading))}
        rowsPerPage={[15, 25, 50]}
        columns={[
          {
            label: t('name'),
            getter: (claim: AnyObject) => (
              <ShortText text={claim.getName()}>
                <ClaimLink name={claim.getName()} />
              </ShortText>
            ),
          },
          {
            label: t('status'),
            getter: (claim: AnyObject) => (
              <DriftChip claim={claim.jsonData} hold={holds.get(claim.getName())} readable={readable} />
            ),
            gridTemplate: 'min-content',
          },
          ...(isBroadEnough(breadth, 'middle')
            ? [
                {
                  label: t('instanceType'),
                  getter: (claim: AnyObject) => objectLabel(claim.jsonData, 'node.kubernetes.io/instance-type') ?? '',
                },
                {
                  label: t('zone'),
                  getter: (claim: AnyObject) => objectLabel(claim.jsonData, 'topology.kubernetes.io/zone') ?? '',
                },
                {
                  label: t('node'),
                  gridTemplate: 1.7,
                  getter: (claim: AnyObject) => (
                    <ShortText text={textAt(claim.jsonData, 'status', 'nodeName') ?? ''}>
                      <NodeLink name={textAt(claim.jsonData, 'status', 'nodeName')} />
                    </ShortText>
                  ),
                },
              ]
            : []),
          {
            label: t('hourlyPrice'),
            gridTemplate: 'min-content',
            getter: (claim: AnyObject) => <PriceText of={claim} />,
          },
          {
            label: t('age'),
            gridTemplate: 'min-content',
            getter: (claim: AnyObject) => <Age of={timeAt(claim.jsonData, 'metadata', 'creationTimestamp')} />,
          },
        ]}
        data={[...claims]}
      />
    </SectionBox>
  )
}
