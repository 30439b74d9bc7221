export { answerAt, answerFor, answeredNo, withAnswers, withDecisions } from './decisions';
export { filesLeftAlone, keeperOf, markIgnored } from './ignore';
export { subjectIn } from './subject';
