export { ChoiceListView as View } from "../choiceList.view.tsx";
