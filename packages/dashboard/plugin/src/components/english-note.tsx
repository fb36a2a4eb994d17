import { Typography } from '@mui/material'
import { useLanguage, useT } from '../locales/use-t.ts'

/** Shows a note that the messages below are in English. Shows nothing if the page is in English too. */
export const EnglishNote = () => {
  const t = useT()
  return useLanguage() === 'en' ? null : (
    <Typography variant="caption" color="text.secondary" component="p">
      {t('messagesInEnglish')}
    </Typography>
  )
}
