import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useMemo } from 'react'
import { useDecisions } from '../cluster/use-events.ts'
import { useT } from '../locales/use-t.ts'
import type { Scope } from '../model/decisions.ts'
import { DecisionsTable } from './decisions-table.tsx'
import { EnglishNote } from './english-note.tsx'
import { Note } from './note.tsx'

/** Shows the decisions about one NodePool, NodeClaim or Node, including decisions about its pods and nodes. */
export const DecisionsSection = ({
  kind,
  names,
}: {
  readonly kind: 'pool' | 'claim' | 'node'
  readonly names: ReadonlySet<string>
}) => {
  const t = useT()
  const key = [...names].sort().join('\n')
  const scope = useMemo((): Scope => ({ kind, names: new Set(key.split('\n')) }), [kind, key])
  const { rows, isForbidden, isLoading } = useDecisions(scope)
  return (
    <>
      <SectionBox title={t('podDecisions')}>
        {isForbidden && <Note tone="warning">{t('eventsForbidden')}</Note>}
        <EnglishNote />
        <DecisionsTable rows={rows} about="pod" isLoading={isLoading} />
      </SectionBox>
      <SectionBox title={t('nodeDecisions')}>
        <DecisionsTable rows={rows} about="node" isLoading={isLoading} />
      </SectionBox>
    </>
  )
}
