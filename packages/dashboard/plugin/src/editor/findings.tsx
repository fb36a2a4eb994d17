import { SimpleTable } from '@kinvolk/headlamp-plugin/lib/CommonComponents'
import { Button, Typography } from '@mui/material'
import { useEffect, useRef } from 'react'
import { stringify } from 'yaml'
import { Note } from '../components/note.tsx'
import { useT } from '../locales/use-t.ts'
import type { TextProblem } from '../model/editing.ts'
import { type Conflict, pathText } from '../model/merge.ts'
import type { Outcome } from './save.ts'

const ProblemList = ({ title, problems }: { readonly title: string; readonly problems: readonly TextProblem[] }) => {
  const t = useT()
  return (
    <ol aria-label={title}>
      {problems.map(({ line, column, message }) => (
        <li key={`${line}:${column}:${message}`} style={{ overflowWrap: 'anywhere' }}>
          {t('atLine', { line, column })}: {message}
        </li>
      ))}
    </ol>
  )
}

/**
 * Shows the errors in the text with their positions, and warnings about values that can be saved but that a
 * controller cannot use.
 */
export const Problems = ({ problems }: { readonly problems: readonly TextProblem[] }) => {
  const t = useT()
  const errors = problems.filter(({ severity }) => severity === 'error')
  const warnings = problems.filter(({ severity }) => severity === 'warning')
  return (
    <>
      <Typography variant="subtitle1">{t('problems')}</Typography>
      {errors.length === 0 ? (
        <Note tone="success">{t('noProblems')}</Note>
      ) : (
        <ProblemList title={t('problems')} problems={errors} />
      )}
      {warnings.length > 0 && (
        <Note tone="warning">
          {t('warnings')}
          <ProblemList title={t('warnings')} problems={warnings} />
        </Note>
      )}
    </>
  )
}

/** Shows the API server's response to the last attempt to save. */
export const OutcomeNote = ({ outcome }: { readonly outcome: Outcome | undefined }) => {
  const t = useT()
  switch (outcome?.kind) {
    case undefined:
    case 'gone':
      return null
    case 'accepted':
      return <Note tone="success">{t('dryRunPassed')}</Note>
    case 'refused':
      return <Note tone="error">{outcome.message}</Note>
    case 'conflict':
      return <Note tone="warning">{t('conflict')}</Note>
  }
}

interface TheirsProps {
  readonly stored: 'unknown' | 'gone' | 'there' | 'leaving'
  readonly isGone: boolean
  readonly changed: readonly string[]
  readonly taken: readonly string[]
  readonly conflicts: readonly Conflict[]
  readonly canTakeOver: boolean
  readonly canCreate: boolean
  takeOver(): void
  createIt(): Promise<void>
  decide(conflict: Conflict, isMine: boolean): void
}

const MOST_SHOWN = 8
const listed = (paths: readonly string[]): string =>
  `${paths.slice(0, MOST_SHOWN).join(', ')}${paths.length > MOST_SHOWN ? ' …' : ''}`

/** Shows what another user changes in the object while it is being edited. */
export const TheirChanges = (props: TheirsProps) => {
  const t = useT()
  const { stored, isGone, changed, taken, conflicts, canTakeOver, canCreate } = props
  return (
    <>
      {isGone && (
        <Note tone="error">
          {t('objectDeleted')}{' '}
          <Button disabled={!canCreate} onClick={() => void props.createIt()}>
            {t('createAgain')}
          </Button>
        </Note>
      )}
      {stored === 'leaving' && <Note tone="error">{t('beingDeleted')}</Note>}
      {changed.length > 0 && (
        <Note tone="warning">
          {t('storedChanged', { fields: listed(changed) })}{' '}
          <Button disabled={!canTakeOver} onClick={props.takeOver}>
            {t('takeOver')}
          </Button>
        </Note>
      )}
      {taken.length > 0 && <Note>{t('takenOver', { fields: listed(taken) })}</Note>}
      {conflicts.length > 0 && (
        <Note tone="warning">
          {t('conflicts')}
          <SimpleTable
            columns={[
              { label: t('field'), getter: ({ path }: Conflict) => pathText(path) },
              { label: t('mine'), getter: ({ mine }: Conflict) => <Value value={mine} /> },
              { label: t('theirs'), getter: ({ theirs }: Conflict) => <Value value={theirs} /> },
              {
                label: '',
                getter: (conflict: Conflict) => (
                  <>
                    <Button size="small" onClick={() => props.decide(conflict, true)}>
                      {t('keepMine')}
                    </Button>
                    <Button size="small" onClick={() => props.decide(conflict, false)}>
                      {t('takeTheirs')}
                    </Button>
                  </>
                ),
              },
            ]}
            data={[...conflicts]}
          />
        </Note>
      )}
    </>
  )
}

const Value = ({ value }: { readonly value: unknown }) => {
  const t = useT()
  if (value === undefined) return <em>{t('removed')}</em>
  return <code style={{ whiteSpace: 'pre-wrap' }}>{stringify(value, { lineWidth: 0 }).trimEnd()}</code>
}

/**
 * Asks the user before changes are lost. The button that keeps the changes has the focus, so that the question can be
 * answered with the keyboard.
 */
export const UnsavedNote = ({ onDiscard, onKeep }: { readonly onDiscard: () => void; readonly onKeep: () => void }) => {
  const t = useT()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <Note tone="warning">
      {t('unsaved')} <Button onClick={onDiscard}>{t('discard')}</Button>
      <Button ref={keep} onClick={onKeep}>
        {t('keepEditing')}
      </Button>
    </Note>
  )
}
