import { SectionBox, SimpleTable, StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useMemo } from 'react'
import { type AnyObject, Event } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { useT } from '../locales/use-t.ts'
import { isLifeMark, type Moment, timelineOf } from '../model/timeline.ts'
import { Age } from './show-time.tsx'

/** The life of one object: its conditions' changes and the events about it and nothing else, live. */
export const TimelineSection = ({ object }: { readonly object: AnyObject }) => {
  const t = useT()
  const { items, error } = Event.useList({
    cluster: object.cluster,
    fieldSelector: `involvedObject.kind=${object.kind},involvedObject.name=${object.getName()}`,
  })
  const moments = useMemo(
    () =>
      timelineOf(
        object.jsonData,
        (items ?? []).map(({ jsonData }) => jsonData),
      ),
    [object.jsonData, items],
  )
  const textOf = (what: string): string => (isLifeMark(what) ? t(`moment.${what}`) : what)
  return (
    <SectionBox title={t('events')} subtitle={isForbidden(error) ? t('eventsForbidden') : undefined}>
      <SimpleTable
        emptyMessage={t('none')}
        rowsPerPage={[15, 25, 50]}
        columns={[
          {
            label: t('what'),
            getter: ({ what, count, isWarning }: Moment) => {
              const text = count > 1 ? t('times', { what: textOf(what), count }) : textOf(what)
              return isWarning ? <StatusLabel status="warning">{text}</StatusLabel> : text
            },
          },
          { label: t('message'), getter: ({ message }: Moment) => message },
          { label: t('from'), getter: ({ from }: Moment) => from },
          { label: t('time'), getter: ({ time }: Moment) => <Age of={time} /> },
        ]}
        data={moments as Moment[]}
      />
    </SectionBox>
  )
}
