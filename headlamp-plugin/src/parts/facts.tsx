import { NameValueTable, SectionBox, SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useT } from '../locales/use-t.ts'
import { fieldsAt, listAt, numberAt, textAt } from '../model/read.ts'

/** Each requirement on its own line, because a key may appear twice. */
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

export const taintText = (taint: unknown): string => {
  const value = textAt(taint, 'value')
  return `${textAt(taint, 'key') ?? ''}${value === undefined ? '' : `=${value}`}:${textAt(taint, 'effect') ?? ''}`
}

/** Any object as rows, nested fields by their path: for kinds whose fields we do not know. */
export const FieldsSection = ({ title, value }: { readonly title: string; readonly value: unknown }) => {
  const rows: { name: string; value: string }[] = []
  const add = (path: string, part: unknown): void => {
    if (part === null || part === undefined) return
    if (Array.isArray(part)) {
      if (part.every((each) => typeof each !== 'object')) rows.push({ name: path, value: part.join(', ') })
      else part.forEach((each, index) => add(`${path}[${index}]`, each))
    } else if (typeof part === 'object') {
      for (const [key, each] of Object.entries(part)) add(path === '' ? key : `${path}.${key}`, each)
    } else rows.push({ name: path, value: String(part) })
  }
  add('', value)
  if (rows.length === 0) return null
  return (
    <SectionBox title={title}>
      <NameValueTable rows={rows} />
    </SectionBox>
  )
}
