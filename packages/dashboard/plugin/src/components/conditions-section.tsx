import { SectionBox, SimpleTable, StatusLabel } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useT } from '../locales/use-t.ts'
import { type ConditionRow, conditionRows } from '../model/conditions.ts'
import { EnglishNote } from './english-note.tsx'
import { Age } from './show-time.tsx'

/** Shows the conditions of an object with the controller's own messages. */
export const ConditionsSection = ({ object }: { readonly object: unknown }) => {
  const t = useT()
  return (
    <SectionBox title={t('conditions')}>
      <EnglishNote />
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          { label: t('condition'), getter: ({ type }: ConditionRow) => type },
          {
            label: t('status'),
            getter: ({ type, status }: ConditionRow) => (
              <StatusLabel status={type === 'Ready' ? (status === 'True' ? 'success' : 'error') : ''}>
                {status}
              </StatusLabel>
            ),
          },
          { label: t('reason'), getter: ({ reason }: ConditionRow) => reason },
          { label: t('message'), getter: ({ message, reason }: ConditionRow) => (message === reason ? '' : message) },
          { label: t('age'), getter: ({ since }: ConditionRow) => <Age of={since} /> },
        ]}
        data={[...conditionRows(object)]}
      />
    </SectionBox>
  )
}
