import { SectionBox, SimpleTable, StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useMemo } from 'react'
import { type AnyObject, Event } from '../cluster/classes.ts'
import { isForbidden } from '../cluster/discovery.ts'
import { type Moment, timelineOf } from '../model/timeline.ts'
import type { Word } from '../words/en.ts'
import { en } from '../words/en.ts'
import { useWords } from '../words/use-words.ts'
import { Age } from './show-time.tsx'

/** The life of one object: its conditions' changes and the events about it and nothing else, live. */
export const TimelineSection = ({ object }: { readonly object: AnyObject }) => {
  const say = useWords()
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
  const wordFor = (what: string): string => (`moment.${what}` in en ? say(`moment.${what}` as Word) : what)
  return (
    <SectionBox title={say('events')} subtitle={isForbidden(error) ? say('eventsForbidden') : undefined}>
      <SimpleTable
        emptyMessage={say('none')}
        rowsPerPage={[15, 25, 50]}
        columns={[
          {
            label: say('what'),
            getter: ({ what, count, isWarning }: Moment) => {
              const text = count > 1 ? say('times', { what: wordFor(what), count }) : wordFor(what)
              return isWarning ? <StatusLabel status="warning">{text}</StatusLabel> : text
            },
          },
          { label: say('message'), getter: ({ message }: Moment) => message },
          { label: say('from'), getter: ({ from }: Moment) => from },
          { label: say('time'), getter: ({ time }: Moment) => <Age of={time} /> },
        ]}
        data={moments as Moment[]}
      />
    </SectionBox>
  )
}
