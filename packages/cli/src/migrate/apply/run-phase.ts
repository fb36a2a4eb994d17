import { CliError } from '@kerf/provider-kit/command-line'
import type { PlanPhase } from '../plan/migration-plan.ts'
import { nameOfRef, stepText } from '../plan/plan-page.ts'
import { type MigrationRecord, type PhaseRecord, planHash, readRecord, writeRecord } from './migration-record.ts'
import { performStep, recordStep, type StepTools, undoStep, undoStrategy } from './perform-step.ts'

/**
 * Returns the phase with this number.
 *
 * @throws CliError if the plan has no such phase
 */
export const findPhase = ({ plan }: Pick<StepTools, 'plan'>, number: number): PlanPhase => {
  const found = plan.phases.find(({ phase }) => phase === number)
  if (found === undefined)
    throw new CliError(`the plan has no phase ${number}; it has ${plan.phases.map(({ phase }) => phase).join(', ')}`)
  return found
}

const emptyRecord = (tools: StepTools): MigrationRecord => ({ plan: planHash(tools.plan), phases: {} })

const recordFor = async (tools: StepTools): Promise<MigrationRecord> => {
  const record = (await readRecord(tools.client)) ?? emptyRecord(tools)
  if (record.plan !== planHash(tools.plan))
    throw new CliError(
      'another plan is in progress in the cluster; use the folder of that plan, or undo its phases first (kerf migrate status)',
    )
  return record
}

const withPhase = (record: MigrationRecord, number: number, phase: PhaseRecord | undefined): MigrationRecord => {
  const others = Object.fromEntries(Object.entries(record.phases).filter(([key]) => key !== String(number)))
  return { ...record, phases: phase === undefined ? others : { ...others, [number]: phase } }
}

/** The first phase that affects workloads. Phases 0 and 1 do not affect them. */
const FIRST_THAT_COUNTS = 2

/**
 * Checks that the phase may begin.
 *
 * @throws CliError if an earlier phase is not complete, a later phase has begun, this phase is being undone, or the plan has
 * unanswered questions
 */
const checkBegin = (tools: StepTools, record: MigrationRecord, number: number): void => {
  const [question] = tools.plan.questions
  if (number >= FIRST_THAT_COUNTS && question !== undefined)
    throw new CliError(
      `${tools.plan.questions.length} questions are open, the first: ${question.object}: ${question.message}. Answer them in the files, and remove them from questions in plan.yaml`,
    )
  const open = tools.plan.phases.find(
    ({ phase, steps }) =>
      phase >= FIRST_THAT_COUNTS && phase < number && steps.length > 0 && record.phases[phase]?.state !== 'done',
  )
  if (open !== undefined) throw new CliError(`phase ${open.phase} (${open.name}) is not done; do it first`)
  const later = Object.keys(record.phases)
    .map(Number)
    .find((each) => each > number)
  if (later !== undefined) throw new CliError(`phase ${later} has begun; undo it first`)
  if (record.phases[number]?.state === 'undoing')
    throw new CliError(`phase ${number} is being undone; finish that first, with --undo`)
}

/**
 * Performs the remaining steps of a phase. Each step's old values are recorded before the change, so that nothing is lost in a
 * crash.
 */
export const runPhase = async (tools: StepTools, number: number): Promise<void> => {
  const phase = findPhase(tools, number)
  let record = await recordFor(tools)
  checkBegin(tools, record, number)
  let own: PhaseRecord = record.phases[number] ?? { state: 'running', done: 0, steps: [] }
  const save = async (next: PhaseRecord): Promise<void> => {
    own = next
    record = withPhase(record, number, own)
    await writeRecord(tools.client, record)
  }
  if (own.state === 'done') {
    tools.print(`phase ${number} is done already`)
    return
  }
  for (const [index, step] of phase.steps.entries()) {
    if (index < own.done) continue
    tools.print(`${index + 1}/${phase.steps.length} ${stepText(step)}`)
    if (!own.steps.some((each) => each.step === index)) {
      const before = await recordStep(tools, step, index)
      if (before !== undefined) await save({ ...own, steps: [...own.steps, before] })
    }
    await performStep(tools, step)
    await save({ ...own, done: index + 1 })
  }
  await save({ ...own, state: 'done', done: phase.steps.length })
}

/** Undoes a phase, last step first. If it is called again after a crash, it skips the steps that are already undone. */
export const undoPhase = async (tools: StepTools, number: number): Promise<void> => {
  const phase = findPhase(tools, number)
  let record = await recordFor(tools)
  const later = Object.keys(record.phases)
    .map(Number)
    .find((each) => each > number)
  if (later !== undefined) throw new CliError(`phase ${later} was applied later and is not undone; undo it first`)
  const own = record.phases[number]
  if (own === undefined) {
    tools.print(`no step of phase ${number} was done`)
    return
  }
  const save = async (next: PhaseRecord | undefined): Promise<void> => {
    record = withPhase(record, number, next)
    await writeRecord(tools.client, record)
  }
  const { steps: recorded } = own
  // A step that began but did not complete also has a record.
  const reached = Math.max(own.done, ...recorded.map(({ step }) => step + 1))
  const isGoingOn = own.state === 'undoing'
  const last = isGoingOn ? own.done : reached
  if (!isGoingOn) await save({ ...own, state: 'undoing', done: last })
  for (const [index, step] of [...phase.steps.slice(0, last).entries()].toReversed()) {
    if (step.do === 'patch' || step.do === 'apply' || step.do === 'cordon' || step.do === 'by hand') {
      tools.print(`back: ${stepText(step)}`)
      await undoStep(
        tools,
        step,
        recorded.find((each) => each.step === index),
      )
    }
    await save({ state: 'undoing', done: index, steps: recorded })
  }
  // Wait for rollouts only after all patches are restored. This includes patches that were restored before a crash.
  const patched = new Set(recorded.flatMap((each) => (each.kind === 'patched' ? nameOfRef(each.object) : [])))
  for (const [index, step] of phase.steps.entries())
    if (step.do === 'roll out' && (index < reached || patched.has(nameOfRef(step.object))))
      await undoStep(tools, step, undefined)
  for (const each of recorded.toReversed()) await undoStrategy(tools, each)
  await save(undefined)
}
