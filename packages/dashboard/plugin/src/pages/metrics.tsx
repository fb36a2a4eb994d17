import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { useT } from '../locales/use-t.ts'
import { Charts } from '../components/charts.tsx'
import { Guard } from '../components/guard.tsx'

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
