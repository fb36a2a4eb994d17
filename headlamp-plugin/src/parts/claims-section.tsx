import { SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import type { AnyObject } from '../cluster/classes.ts'
import { priceOf, showPrice } from '../model/price.ts'
import { labelOf, textAt, timeAt } from '../model/read.ts'
import { useWords } from '../words/use-words.ts'
import { ClaimLink, NodeLink } from './links.tsx'
import { Age } from './show-time.tsx'
import { ClaimChips } from './status-chip.tsx'

/** The claims of a pool or class, with their nodes. */
export const ClaimsSection = ({ claims }: { readonly claims: readonly AnyObject[] }) => {
  const say = useWords()
  return (
    <SectionBox title={say('nodeClaims')}>
      <SimpleTable
        emptyMessage={say('none')}
        rowsPerPage={[15, 25, 50]}
        columns={[
          { label: say('name'), getter: (claim: AnyObject) => <ClaimLink name={claim.getName()} /> },
          { label: say('status'), getter: (claim: AnyObject) => <ClaimChips claim={claim.jsonData} /> },
          {
            label: say('instanceType'),
            getter: (claim: AnyObject) => labelOf(claim.jsonData, 'node.kubernetes.io/instance-type') ?? '',
          },
          {
            label: say('zone'),
            getter: (claim: AnyObject) => labelOf(claim.jsonData, 'topology.kubernetes.io/zone') ?? '',
          },
          {
            label: say('node'),
            getter: (claim: AnyObject) => <NodeLink name={textAt(claim.jsonData, 'status', 'nodeName')} />,
          },
          {
            label: say('hourlyPrice'),
            getter: (claim: AnyObject) => {
              const price = priceOf(claim.jsonData)
              return price === undefined ? '–' : showPrice(price)
            },
          },
          {
            label: say('age'),
            getter: (claim: AnyObject) => <Age of={timeAt(claim.jsonData, 'metadata', 'creationTimestamp')} />,
          },
        ]}
        data={[...claims]}
      />
    </SectionBox>
  )
}
