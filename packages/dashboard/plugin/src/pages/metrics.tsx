import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Charts } from '../components/charts.tsx'
import { Guard } from '../components/guard.tsx'
import { useT } from '../locales/use-t.ts'

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
