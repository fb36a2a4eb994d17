import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useT } from '../locales/use-t.ts'
import { Charts } from '../parts/charts.tsx'
import { Guard } from '../parts/guard.tsx'

export const MetricsPage = () => {
  const t = useT()
  return (
    <Guard>
      <SectionBox title={t('metrics')}>
        <Charts startWith="poolRange" />
      </SectionBox>
    </Guard>
  )
}
