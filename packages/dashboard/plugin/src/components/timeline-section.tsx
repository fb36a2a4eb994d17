import { SectionBox, SimpleTable, StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useMemo } from 'react'
import { type AnyObject, Event } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { useKindList } from '../cluster/use-list.ts'
import { useT } from '../locales/use-t.ts'
import { emptyKey } from '../model/list-state.ts'
import { buildTimeline, isLifeEvent, type TimelineEntry } from '../model/timeline.ts'
import { EnglishNote } from './english-note.tsx'
import { Age } from './show-time.tsx'

/** Shows a live timeline of one object: the changes of its conditions, and the events about it. */
export const TimelineSection = ({ object }: { readonly object: AnyObject }) => {
  const t = useT()
  const { items, error, isLoading } = useKindList(Event, {
    cluster: object.cluster,
    fieldSelector: `involvedObject.kind=${object.kind},involvedObject.name=${object.getName()}`,
  })
  const entries = useMemo(
    () =>
      buildTimeline(
        object.jsonData,
        (items ?? []).map(({ jsonData }) => jsonData),
      ),
    [object.jsonData, items],
  )
  const textOf = (what: string): string => (isLifeEvent(what) ? t(`timeline.${what}`) : what)
  return (
    <SectionBox title={t('events')} subtitle={isForbidden(error) ? t('eventsForbidden') : undefined}>
      <EnglishNote />
      <SimpleTable
        emptyMessage={t(emptyKey(items !== null, isLoading))}
        rowsPerPage={[15, 25, 50]}
        columns={[
          {
            label: t('what'),
            gridTemplate: 'min-content',
            getter: ({ what, count, isWarning }: TimelineEntry) => {
              const text = count > 1 ? t('times', { what: textOf(what), count }) : textOf(what)
              return isWarning ? <StatusLabel status="warning">{text}</StatusLabel> : text
            },
          },
          { label: t('message'), getter: ({ message }: TimelineEntry) => message, gridTemplate: 2 },
          { label: t('from'), getter: ({ from }: TimelineEntry) => from },
          { label: t('time'), getter: ({ time }: TimelineEntry) => <Age of={time} />, gridTemplate: 'min-content' },
        ]}
        data={entries as TimelineEntry[]}
      />
    </SectionBox>
  )
}
