import { NameValueTable, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Box, Typography } from '@mui/material'
import type { ComponentProps } from 'react'
import { useT } from '../locales/use-t.ts'
import { fieldGroups } from '../model/fields.ts'
import { fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'

/** Shows each requirement on its own line, because a key may occur twice. */
export const RequirementsSection = ({ requirements }: { readonly requirements: readonly unknown[] }) => {
  const t = useT()
  return (
    <SectionBox title={t('requirements')}>
      <SimpleTable
        emptyMessage={t('none')}
        columns={[
          { label: t('key'), getter: (each: unknown) => textAt(each, 'key') },
          { label: t('operator'), getter: (each: unknown) => textAt(each, 'operator') },
          { label: t('values'), getter: (each: unknown) => listAt(each, 'values').join(', ') },
          { label: t('minValues'), getter: (each: unknown) => numberAt(each, 'minValues') ?? '' },
        ]}
        data={requirements.map((each) => fieldsAt({ each }, 'each'))}
      />
    </SectionBox>
  )
}

type Rows = ComponentProps<typeof NameValueTable>['rows']

/** Shows the most important facts of an object at the top of its page. */
export const FirstFacts = ({ rows }: { readonly rows: Rows }) => (
  <SectionBox title="Karpenter">
    <NameValueTable rows={rows} />
  </SectionBox>
)

export const taintText = (taint: unknown): string => {
  const value = textAt(taint, 'value')
  return `${textAt(taint, 'key') ?? ''}${value === undefined ? '' : `=${value}`}:${textAt(taint, 'effect') ?? ''}`
}

/** Shows any object as groups of rows, for kinds with unknown fields. */
export const FieldsSection = ({ title, value }: { readonly title: string; readonly value: unknown }) => {
  const groups = fieldGroups(value)
  if (groups.length === 0) return null
  return (
    <SectionBox title={title}>
      {groups.map(({ name, rows }) => (
        <Box key={name} sx={{ mb: 1 }}>
          {name !== '' && (
            <Typography variant="subtitle2" component="h3">
              {name}
            </Typography>
          )}
          <NameValueTable rows={[...rows]} />
        </Box>
      ))}
    </SectionBox>
  )
}
