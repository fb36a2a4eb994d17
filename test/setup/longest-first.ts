import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { chosenTests } from '../selection/chosen-tests.ts'

/**
 * The files that take longest first, by the table of test costs, so that none of them is still running when all others are done.
 * Files in processes of their own come before those that share one. Without a choice, the order is Vitest's.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = `${this.ctx.config.root}/`
    const order = new Map(chosenTests().longestFirst.map((file, index) => [file, index]))
    const rank = ({ project, moduleId }: TestSpecification): number =>
      (order.get(moduleId.replace(root, '')) ?? order.size) + (project.config.isolate ? 0 : order.size + 1)
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}
