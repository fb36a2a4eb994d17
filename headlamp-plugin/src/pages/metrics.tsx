import { SectionBox } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Charts } from '../parts/charts.tsx'
import { Guard } from '../parts/guard.tsx'
import { useWords } from '../words/use-words.ts'

export const MetricsPage = () => {
  const say = useWords()
  return (
    <Guard>
      <SectionBox title={say('metrics')}>
        <Charts startWith="poolRange" />
      </SectionBox>
    </Guard>
  )
}
